from cardsharp._core import *
