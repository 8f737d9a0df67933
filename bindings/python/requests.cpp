// Lists, and requests that wait. The Python side keeps the arrays of pending requests.
#include "handles.hpp"

namespace sv::python {

namespace {

template <auto call, bool writable>
int64_t later_field(Handle file, int var, Handle decomp, int64_t record, int type, const nb::object &array) {
  const Memory memory(array, writable);
  sv_request request = SV_NO_REQUEST;
  local(file, [&] {
    return call(as<sv_file>(file), var, as<sv_decomp>(decomp), record, {type, memory.data(), memory.stride()},
                &request);
  });
  return request;
}

template <auto call, bool writable>
int64_t later_whole(Handle file, int var, int64_t record, int type, const nb::object &array) {
  const Memory memory(array, writable);
  sv_request request = SV_NO_REQUEST;
  local(file, [&] { return call(as<sv_file>(file), var, record, {type, memory.data(), memory.stride()}, &request); });
  return request;
}

template <auto call, bool writable>
int64_t later_part(Handle file, int var, const Numbers &start, const Numbers &count,
                   const std::optional<Numbers> &stride, int type, const nb::object &array) {
  const Memory memory(array, writable);
  sv_request request = SV_NO_REQUEST;
  local(file, [&] {
    return call(as<sv_file>(file), var, start.data(), count.data(), stride ? stride->data() : nullptr,
                {type, memory.data(), memory.stride()}, &request);
  });
  return request;
}

template <auto call, bool writable>
int64_t later_regions(Handle file, int var, const std::vector<Numbers> &starts, const std::vector<Numbers> &counts,
                      int type, const nb::object &array) {
  const Memory memory(array, writable);
  const std::vector<const int64_t *> from = pointers(starts), size = pointers(counts);
  sv_request request = SV_NO_REQUEST;
  local(file, [&] {
    return call(as<sv_file>(file), var, static_cast<int>(from.size()), from.data(), size.data(),
                {type, memory.data(), nullptr}, &request);
  });
  return request;
}

/// The memory of the arrays of a list. `Form`: sv_source or sv_target.
template <class Form>
struct Arrays {
  Arrays(const std::vector<nb::object> &arrays, const std::vector<int> &types) {
    for (size_t i = 0; i < arrays.size(); ++i) {
      held.emplace_back(arrays[i], std::is_same_v<Form, sv_target>);
      values.push_back({types[i], held.back().data(), held.back().stride()});
    }
  }
  std::vector<Memory> held;
  std::vector<Form> values;
};

/// sv_mput and sv_mget.
template <auto call, class Form>
void fields(Handle file, const std::vector<int> &vars, const std::vector<Handle> &decomps, const Numbers &records,
            const std::vector<int> &types, const std::vector<nb::object> &arrays) {
  const Arrays<Form> memory(arrays, types);
  std::vector<const sv_decomp *> all;
  collective(file, [&] {
    for (const Handle decomp : decomps) all.push_back(as<sv_decomp>(decomp));
    return call(as<sv_file>(file), static_cast<int>(vars.size()), vars.data(), all.data(), records.data(),
                memory.values.data());
  });
}

/// sv_mput_vara and sv_mget_vara.
template <auto call, class Form>
void parts(Handle file, const std::vector<int> &vars, const std::vector<Numbers> &starts,
           const std::vector<Numbers> &counts, const std::vector<int> &types, const std::vector<nb::object> &arrays) {
  const Arrays<Form> memory(arrays, types);
  const std::vector<const int64_t *> from = pointers(starts), size = pointers(counts);
  collective(file, [&] {
    return call(as<sv_file>(file), static_cast<int>(vars.size()), vars.data(), from.data(), size.data(),
                memory.values.data());
  });
}

/// None: all. The status of the call, its message, and the status of each request.
std::tuple<int, Text, std::vector<int>> wait(Handle file, const std::optional<Numbers> &requests) {
  std::vector<sv_request> own = requests.value_or(Numbers());
  std::vector<int> statuses(own.size(), SV_OK);
  const int status = waiting(turn_of(file), [&] {
    return requests ? sv_wait(as<sv_file>(file), static_cast<int>(own.size()), own.data(), statuses.data())
                    : sv_wait(as<sv_file>(file), SV_ALL, nullptr, nullptr);
  });
  return std::make_tuple(status, Text{status == SV_OK ? "" : sv_message()}, statuses);
}

void cancel(Handle file, const std::optional<Numbers> &requests) {
  std::vector<sv_request> own = requests.value_or(Numbers());
  local(file, [&] {
    return requests ? sv_cancel(as<sv_file>(file), static_cast<int>(own.size()), own.data(), nullptr)
                    : sv_cancel(as<sv_file>(file), SV_ALL, nullptr, nullptr);
  });
}

std::tuple<int64_t, int64_t> inq_buffer(Handle file) {
  int64_t bytes = 0, used = 0;
  local(file, [&] { return sv_inq_buffer(as<sv_file>(file), &bytes, &used); });
  return std::make_tuple(bytes, used);
}

}  // namespace

void bind_requests(nb::module_ &module) {
  using namespace nb::literals;
  const auto array = "array"_a.none();
  const auto stride = "stride"_a.none();
  const auto each = [&](const char *name, auto function) {
    module.def(name, function, "file"_a, "var"_a, "decomp"_a, "record"_a, "type"_a, array);
  };
  const auto each_whole = [&](const char *name, auto function) {
    module.def(name, function, "file"_a, "var"_a, "record"_a, "type"_a, array);
  };
  const auto each_part = [&](const char *name, auto function) {
    module.def(name, function, "file"_a, "var"_a, "start"_a, "count"_a, stride, "type"_a, array);
  };
  const auto each_varn = [&](const char *name, auto function) {
    module.def(name, function, "file"_a, "var"_a, "starts"_a, "counts"_a, "type"_a, array);
  };
  each("iput", later_field<sv_iput, false>);
  each("bput", later_field<sv_bput, false>);
  each("iget", later_field<sv_iget, true>);
  each_whole("iput_var", later_whole<sv_iput_var, false>);
  each_whole("bput_var", later_whole<sv_bput_var, false>);
  each_whole("iget_var", later_whole<sv_iget_var, true>);
  each_part("iput_vars", later_part<sv_iput_vars, false>);
  each_part("bput_vars", later_part<sv_bput_vars, false>);
  each_part("iget_vars", later_part<sv_iget_vars, true>);
  each_varn("iput_varn", later_regions<sv_iput_varn, false>);
  each_varn("bput_varn", later_regions<sv_bput_varn, false>);
  each_varn("iget_varn", later_regions<sv_iget_varn, true>);
  module.def("mput", fields<sv_mput, sv_source>);
  module.def("mget", fields<sv_mget, sv_target>);
  module.def("mput_vara", parts<sv_mput_vara, sv_source>);
  module.def("mget_vara", parts<sv_mget_vara, sv_target>);
  module.def("wait", wait, "file"_a, "requests"_a.none());
  module.def("cancel", cancel, "file"_a, "requests"_a.none());
  module.def("attach_buffer", [](Handle file, int64_t bytes) {
    local(file, [&] { return sv_attach_buffer(as<sv_file>(file), bytes); });
  });
  module.def("detach_buffer", [](Handle file) { local(file, [&] { return sv_detach_buffer(as<sv_file>(file)); }); });
  module.def("inq_buffer", inq_buffer);
}

}  // namespace sv::python
