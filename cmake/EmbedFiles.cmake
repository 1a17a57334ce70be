# isthmus_embed(TARGET HEADER name=path ...): makes each file a function isthmus::assets::name() that gives its
# bytes as a std::string_view, declared in HEADER. Run as a script (-P) it writes one of those files.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${INPUT} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR count "${digits} / 2")
  # Rows of 32 bytes, so that no line is endless.
  string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(WRITE ${OUTPUT} "#include <string_view>
namespace isthmus::assets {
namespace {
constexpr unsigned char ${NAME}_bytes[] = {
${bytes}};
}
std::string_view ${NAME}();
std::string_view ${NAME}() {
  return {reinterpret_cast<const char*>(${NAME}_bytes), ${count}};
}
}  // namespace isthmus::assets
")
  return()
endif()

set(ISTHMUS_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(isthmus_embed target header)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/assets)
  set(declarations "")
  foreach(asset ${ARGN})
    string(REPLACE "=" ";" parts ${asset})
    list(POP_FRONT parts name path)
    string(APPEND declarations "std::string_view ${name}();\n")
    add_custom_command(OUTPUT ${folder}/${name}.cpp
                       COMMAND ${CMAKE_COMMAND} -DINPUT=${path} -DOUTPUT=${folder}/${name}.cpp -DNAME=${name}
                               -P ${ISTHMUS_EMBED_SCRIPT}
                       DEPENDS ${path} ${ISTHMUS_EMBED_SCRIPT} VERBATIM)
    target_sources(${target} PRIVATE ${folder}/${name}.cpp)
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/${header}
       CONTENT "#pragma once\n#include <string_view>\nnamespace isthmus::assets {\n${declarations}}\n" @ONLY)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
