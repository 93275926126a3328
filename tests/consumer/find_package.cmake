# Installs the library to a prefix of its own, then builds examples/ against it with find_package.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${TILEWRIGHT_BUILD} --config ${CONFIG} --prefix ${WORK}/prefix)
configure_build_run(${TILEWRIGHT_SOURCE}/examples -D CMAKE_PREFIX_PATH=${WORK}/prefix)
