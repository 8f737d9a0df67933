# Warnings, sanitizers: one interface target that everything of ours links.
add_library(sv_options INTERFACE)
target_compile_options(sv_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion>
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra>
  $<$<COMPILE_LANG_AND_ID:Fortran,GNU>:-Wall -Wextra -std=f2018 -fimplicit-none>)
if(SV_WERROR)
  target_compile_options(sv_options INTERFACE -Werror)
endif()
if(SV_SANITIZE)
  add_compile_options(-fsanitize=${SV_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SV_SANITIZE})
  add_library(sv_keep_loaded OBJECT ${CMAKE_CURRENT_LIST_DIR}/keep_loaded.c)
  target_sources(sv_options INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:sv_keep_loaded>>)
endif()
