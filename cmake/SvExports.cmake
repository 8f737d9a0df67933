# What a shared library exports. Hidden visibility is not enough for that: the C++ library's headers give its templates and
# type information default visibility, and a C++ library that is linked statically brings functions with plain C names
# (__once_proxy). What a preloaded library exports, programs take instead of their own, and crash.

# sv_exports(TARGET PATTERN...): only symbols that match one of the linker's patterns, for example sv_*.
function(sv_exports target)
  list(JOIN ARGN "; " patterns)
  sv_version_script(${target} "{\n  global: ${patterns};\n  local: *;\n};\n")
endfunction()

# sv_exports_marked(TARGET): for a library that stands in for functions of others, whose names have no pattern: what its own
# sources mark as visible, of those with C names.
function(sv_exports_marked target)
  sv_version_script(${target} "{\n  local: _Z*;\n};\n")
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)
endfunction()

function(sv_version_script target text)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${script} CONTENT "${text}" @ONLY)
  target_link_options(${target} PRIVATE -Wl,--version-script=${script})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
endfunction()
