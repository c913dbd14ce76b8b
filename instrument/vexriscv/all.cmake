# One file of all that Verilator wrote: it is compiled as a whole.
file(GLOB parts RELATIVE ${FOLDER} ${FOLDER}/V*.cpp)
list(SORT parts)
list(TRANSFORM parts REPLACE "(.+)" "#include \"\\1\"\n")
string(CONCAT text ${parts})
file(WRITE ${FOLDER}/all.cpp "${text}")
