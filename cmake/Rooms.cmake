# SPDX-License-Identifier: GPL-3.0-or-later

# suture_room(NAME [TORCH] [DEPENDS room…] [LINKS target…] [PUBLIC_LINKS target…])
# A room of core: every .cpp below the folder becomes the static library suture_NAME. Headers beside the sources are public
# and must compile on their own; headers in internal/ may use torch and are for rooms above, never for ui or app.
function(suture_room name)
    cmake_parse_arguments(ROOM "TORCH" "" "DEPENDS;LINKS;PUBLIC_LINKS" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
    file(GLOB public_headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.h")
    if(NOT sources)
        return()   # a room that is still empty
    endif()
    add_library(suture_${name} STATIC ${sources})
    add_library(Suture::${name} ALIAS suture_${name})
    target_sources(suture_${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${CMAKE_SOURCE_DIR}" FILES ${public_headers})
    set_target_properties(suture_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
    target_link_libraries(suture_${name} PRIVATE suture_settings ${ROOM_LINKS} PUBLIC nlohmann_json::nlohmann_json ${ROOM_PUBLIC_LINKS})
    foreach(dependency IN LISTS ROOM_DEPENDS)
        if(TARGET suture_${dependency})
            target_link_libraries(suture_${name} PUBLIC suture_${dependency})
        endif()
    endforeach()
    if(ROOM_TORCH)
        target_link_libraries(suture_${name} PRIVATE suture_torch)
        if(name STREQUAL "tensor")
            target_precompile_headers(suture_${name} PRIVATE "${CMAKE_SOURCE_DIR}/core/tensor/internal/torch.h")
        else()
            target_precompile_headers(suture_${name} REUSE_FROM suture_tensor)
        endif()
    endif()
endfunction()

# suture_registry(ROOM room FOLDER folder TYPE Type HEADER header)
# One file adds one: FOLDER/x-y.cpp or x_y.cpp defines `extern const Type Type_x_y`'s lower-case name, e.g.
# `extern const Family family_llama`. The generated table lists them all, sorted by file name.
function(suture_registry)
    cmake_parse_arguments(REG "" "ROOM;FOLDER;TYPE;HEADER" "" ${ARGN})
    file(GLOB files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${REG_ROOM}/${REG_FOLDER}/*.cpp")
    string(TOLOWER "${REG_TYPE}" prefix)
    set(declarations "")
    set(entries "")
    foreach(file IN LISTS files)
        get_filename_component(stem "${file}" NAME_WE)
        string(MAKE_C_IDENTIFIER "${stem}" id)
        string(APPEND declarations "extern const ${REG_TYPE} ${prefix}_${id};\n")
        string(APPEND entries "&${prefix}_${id}, ")
    endforeach()
    set(output "${CMAKE_BINARY_DIR}/generated/${REG_ROOM}_${REG_FOLDER}.cpp")
    file(CONFIGURE OUTPUT "${output}" CONTENT
"// Generated from core/${REG_ROOM}/${REG_FOLDER}: one file adds one.
#include \"${REG_HEADER}\"
#include <span>
namespace suture {
@declarations@
std::span<const ${REG_TYPE}* const> all_${REG_FOLDER}() {
    static const ${REG_TYPE}* const table[] = {@entries@};
    return table;
}
}  // namespace suture
" @ONLY)
    target_sources(suture_${REG_ROOM} PRIVATE "${output}")
endfunction()

# suture_tests(NAME [GUI] [TORCH] LINKS target…): every .cpp of tests/NAME becomes one executable of several Qt Test suites.
function(suture_tests name)
    cmake_parse_arguments(TEST "GUI;TORCH" "" "LINKS" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
    foreach(target IN LISTS TEST_LINKS)
        if(NOT TARGET ${target})
            return()   # the room is still empty
        endif()
    endforeach()
    if(NOT sources)
        return()
    endif()
    add_executable(test_${name} ${sources})
    set_target_properties(test_${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    target_link_libraries(test_${name} PRIVATE suture_settings suture_test_support_$<IF:$<BOOL:${TEST_GUI}>,gui,core> Qt6::Test ${TEST_LINKS})
    target_compile_definitions(test_${name} PRIVATE QT_NO_KEYWORDS
        SUTURE_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" SUTURE_SOURCE="${CMAKE_SOURCE_DIR}"
        SUTURE_TEST_PYTHON="${SUTURE_TEST_PYTHON}" SUTURE_BIN="${CMAKE_BINARY_DIR}/bin")
    if(TEST_TORCH)
        target_link_libraries(test_${name} PRIVATE suture_torch)
    endif()
    add_test(NAME ${name} COMMAND test_${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;OMP_WAIT_POLICY=PASSIVE")   # threads that spin starve each other on a busy machine
endfunction()
