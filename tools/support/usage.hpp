// The message of a program about wrong arguments: its name, the error, and its usage.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

namespace sv_tools {

/// CLI11's help, with words behind the line of usage for arguments that are no options of the program's own.
class Usage : public CLI::Formatter {
 public:
  explicit Usage(std::string more) : more_(std::move(more)) {}

  std::string make_usage(const CLI::App *app, std::string name) const override {
    std::string line = CLI::Formatter::make_usage(app, std::move(name));
    line.erase(line.find_last_not_of('\n') + 1);
    return line + more_ + "\n";
  }

 private:
  std::string more_;
};

/// Unlike CLI::Range, it also rejects text that is no number (nan).
inline CLI::Validator between(double least, double most) {
  CLI::Range range(least, most);
  return CLI::Validator(
      [range](std::string &text) {
        return text.find_first_of("nN") == std::string::npos ? range(text) : "'" + text + "' is no number";
      },
      range.get_description());
}

/// If a program received an unknown argument, that is the cause, and not a missing one.
inline std::string cause_of(const CLI::App &app, const CLI::Error &error) {
  const bool missing = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  if (!missing || app.remaining_size() == 0) return error.what();
  return "'" + app.remaining().front() + "' is not known here";
}

/// To be called before subcommands are added. `command` stands behind the options in the line of usage.
inline void print_usage(CLI::App &app, const std::string &command = "") {
  app.formatter(std::make_shared<Usage>(command));
  app.failure_message([command](const CLI::App *asked, const CLI::Error &error) {
    std::string name = asked->get_name();
    const CLI::App *most = asked;
    for (const CLI::App *below : asked->get_subcommands()) {
      most = below;
      name += " " + below->get_name();
    }
    return name + ": " + cause_of(*most, error) + "\n" + Usage(command).make_usage(most, name) + name +
           " See --help.\n";
  });
}

}  // namespace sv_tools
