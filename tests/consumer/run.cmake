# Installs the build into a folder of its own, then configures, builds and runs the consumer against
# that alone. Arguments: BUILD, SOURCE, WORK.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed:\n${output}")
  endif()
  message(STATUS "${output}")
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja
    -DCMAKE_PREFIX_PATH=${WORK}/installed -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer ${WORK}/installed/share/voigt/scenes/double_pendulum.yaml)
run(${WORK}/installed/bin/voigt sim ${WORK}/installed/share/voigt/scenes/pendulum.yaml)
