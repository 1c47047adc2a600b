#1=0
o1 while [#1 lt 3]
#1=[#1+1]
o2 if [#1 eq 2]
M98 P7 L2
o2 endif
o<a> call [#1]
o1 endwhile
M2
o<a> sub
o3 repeat [2]
G1 X#1
o3 endrepeat
o<a> endsub
O7
G91 G1 Y1
M99
