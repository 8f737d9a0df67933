#include "account.hpp"

#include "../told.hpp"
#include "dataset.hpp"

namespace sv::netcdf {

void tell_taken(const Dataset &own, int code) {
  const Account &account = own.account;
  const std::chrono::duration<double> open = std::chrono::steady_clock::now() - account.opened;
  sv::tell({"taken", "1", std::to_string(account.puts), std::to_string(account.gets), std::to_string(account.put_bytes),
            std::to_string(account.got_bytes), std::to_string(open.count()), std::to_string(code), own.path, "netCDF"});
}

void tell_left(const std::string &path, const std::string &reason) { sv::tell({"left", "1", reason, path, "netCDF"}); }

}  // namespace sv::netcdf
