#include "ocean_models.hpp"

#include <stdexcept>

namespace sv_bench {

namespace {

// The paper states the grid, the periods and the bytes of a run, not the variables. Those of the restart file are the
// model's own (POP's manual); with them four volumes and two surfaces an hour make the paper's 315 GB (314.9).
StreamModel pop() {
  const std::vector<std::string> twice_volumes{"UVEL_CUR", "UVEL_OLD", "VVEL_CUR", "VVEL_OLD",
                                               "TEMP_CUR", "TEMP_OLD", "SALT_CUR", "SALT_OLD"};
  const std::vector<std::string> twice_surfaces{"UBTROP_CUR", "UBTROP_OLD", "VBTROP_CUR", "VBTROP_OLD", "PSURF_CUR",
                                                "PSURF_OLD",  "GRADPX_CUR", "GRADPX_OLD", "GRADPY_CUR", "GRADPY_OLD",
                                                "PGUESS",     "FW_OLD",     "FW_FREEZE",  "QFLUX"};
  return {"pop",
          3600,
          2400,
          40,
          2,
          220,
          331,  // 3246 s with serial output is 9.8 times it (5.2)
          1000,
          {{"history", "float", {"UVEL", "VVEL", "TEMP", "SALT"}, {}, 24},
           {"movie", "float", {}, {"SSH", "SST"}, 24},
           {"restart", "double", twice_volumes, twice_surfaces, 1}}};
}

// The 58 fields of CICE 4.1's history file: 80.2 GB, and the paper's 80. Its restart files were switched off.
StreamModel cice() {
  const std::vector<std::string> fields{
      "hi",      "hs",        "Tsfc",     "aice",    "uvel",     "vvel",    "fswdn",    "flwdn",   "snow",
      "snow_ai", "rain",      "rain_ai",  "sst",     "sss",      "uocn",    "vocn",     "frzmlt",  "fswfac",
      "fswabs",  "fswabs_ai", "albsni",   "flat",    "flat_ai",  "fsens",   "fsens_ai", "flwup",   "flwup_ai",
      "evap",    "evap_ai",   "Tref",     "Qref",    "congel",   "frazil",  "snoice",   "meltt",   "meltb",
      "meltl",   "fresh",     "fresh_ai", "fsalt",   "fsalt_ai", "fhocn",   "fhocn_ai", "fswthru", "fswthru_ai",
      "strairx", "strairy",   "strtltx",  "strtlty", "strcorx",  "strcory", "strocnx",  "strocny", "strintx",
      "strinty", "strength",  "divu",     "shear"};
  return {"cice", 3600, 2400, 1, 40, 24, 178, 500, {{"history", "float", {}, fields, 1}}};
}

// Of restart files the paper says both "for each simulated day" and "only one, at the end of the program"; daily ones
// would leave 36 of the 144 GB for everything else, so there is one. With five volumes a day: 144.1 GB. It does not
// state the steps: ten minutes each.
StreamModel licom() {
  return {"licom",
          3602,
          1683,
          55,
          10,
          144,
          4383,
          10000,
          {{"history", "double", {"ts", "ss", "us", "vs", "ws"}, {}, 1},
           {"restart", "double", {"u", "v", "t", "s"}, {"h0"}, 0}}};
}

}  // namespace

StreamModel stream_model(const std::string &name) {
  if (name == "pop") return pop();
  if (name == "cice") return cice();
  if (name == "licom") return licom();
  throw std::logic_error("there is no model '" + name + "'");
}

int64_t outputs_of(const Stream &stream, const StreamModel &model, int64_t steps) {
  return stream.per_day == 0 ? 1 : steps * stream.per_day / model.steps_per_day;
}

int64_t step_of_output(const Stream &stream, const StreamModel &model, int64_t steps, int64_t number) {
  if (stream.per_day == 0) return steps;
  return ((number + 1) * model.steps_per_day + stream.per_day - 1) / stream.per_day;
}

}  // namespace sv_bench
