# tilewright_escape(VARIABLE TEXT): escapes a path for a .pc file. pkg-config expands $ and {, takes # for a comment, and
# splits flags like a shell. It escapes spaces of ${pcfiledir} itself.
function(tilewright_escape variable text)
  string(REGEX REPLACE "([ \\\\\"'#\${])" "\\\\\\1" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
