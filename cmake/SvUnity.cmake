# SV_UNITY: the C++ sources of a target are compiled together (40 at most), in a third of the time, most of which goes into the
# headers and templates that they share. The presets, so `make` and CI, do so; developers may rather compile each by itself, or
# fewer together. What is local to a source (anonymous namespace, static, macro) must therefore have a name of its own among the
# sources of its target, or be shared in a header. Where two are alike, the compiler says "redefinition of" or "shadows" and names
# both places: rename one, to what it is about. What cannot be joined (a macro that changes a system header, say) gets the source
# property SKIP_UNITY_BUILD_INCLUSION in its CMakeLists.txt.
set(CMAKE_UNITY_BUILD ${SV_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 40)
