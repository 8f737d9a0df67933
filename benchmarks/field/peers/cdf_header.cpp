#include "peers/cdf_header.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

namespace sv_bench {

namespace {

class Writer {
 public:
  void number(int64_t value, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text_.push_back(static_cast<char>(value >> shift & 0xff));
  }
  void name(const std::string &value) {
    number(static_cast<int64_t>(value.size()), 8);
    text_ += value;
    text_.append((4 - value.size() % 4) % 4, '\0');
  }
  void bytes(const char *value) { text_ += value; }
  const std::string &text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::vector<std::byte> cdf5_header(const Field &field) {
  constexpr int tag = 4, count = 8, dimensions = 10, variables = 11;
  constexpr const char *names[] = {"lev", "lat", "lon"};
  Writer header;
  header.bytes("CDF\5");
  header.number(0, count);  // records
  header.number(dimensions, tag);
  header.number(3, count);
  for (size_t d = 0; d < 3; ++d) {
    header.name(names[d]);
    header.number(field.shape[d], count);
  }
  header.number(0, tag);  // no attributes of the file
  header.number(0, count);
  header.number(variables, tag);
  header.number(1, count);
  header.name("field");
  header.number(3, count);
  for (int d = 0; d < 3; ++d) header.number(d, count);
  header.number(0, tag);  // none of the variable
  header.number(0, count);
  header.number(field.type.number, tag);
  header.number((field.bytes() + 3) / 4 * 4, count);
  header.number(data_offset, count);
  std::vector<std::byte> padded(data_offset);
  if (header.text().size() > padded.size()) throw std::runtime_error("the header does not fit its page");
  std::memcpy(padded.data(), header.text().data(), header.text().size());
  return padded;
}

}  // namespace sv_bench
