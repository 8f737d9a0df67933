# SV_UNITY: the C++ sources of a target are compiled together (40 at most), in a third of the time, most of which goes into the
# headers and templates that they share. The presets, so `make` and CI, do so; developers may rather compile each by itself, or
# fewer together. What is local to a source (anonymous namespace, static, macro) must therefore have a name of its own among the
# sources of its target, or be shared in a header. Where two are alike, the compiler says "redefinition of" or "shadows" and names
# both places: rename one, to what it is about. What cannot be joined (a macro that changes a system header, say) gets the source
# property SKIP_UNITY_BUILD_INCLUSION in its CMakeLists.txt.
set(CMAKE_UNITY_BUILD ${SV_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 40)

# sv_share_headers(TARGET...): with SV_UNITY and GCC, these libraries take the headers of the C++ library that most of their sources
# include precompiled, from sv_base. Not under ccache, which would take each checkout's for another, nor under the sanitizers. The
# sources include what they use all the same; builds without this detect what is missing.
set(sv_shared_headers <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <cstring> <deque> <functional> <limits> <map>
    <memory> <mutex> <numeric> <optional> <set> <span> <string> <string_view> <utility> <vector>)
function(sv_share_headers)
  if(NOT SV_UNITY OR SV_SANITIZE OR CMAKE_CXX_COMPILER_LAUNCHER OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  foreach(target IN LISTS ARGN)
    if(target STREQUAL "sv_base")
      target_precompile_headers(sv_base PRIVATE ${sv_shared_headers})
    elseif(TARGET ${target})
      target_precompile_headers(${target} REUSE_FROM sv_base)
    endif()
  endforeach()
endfunction()
