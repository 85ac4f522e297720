#!/usr/bin/env python3
"""Builds the libraries that PyTorch's CUDA wheel needs, on a simulated device. usage: make.py SITE_PACKAGES OUT
Every function that libtorch wants of cuBLAS, cuDNN, NCCL and the rest returns 0 (success) and does nothing."""
import glob, os, re, shutil, subprocess, sys
site, out = sys.argv[1:]; lib = site + '/torch/lib'; os.makedirs(out, exist_ok=True); here = os.path.dirname(os.path.abspath(__file__)); cu = re.search(r'-I"?([^" ]+)', subprocess.run(['nvcc', '--dryrun', '-x', 'cu', '-c', '/dev/null'], capture_output=True, text=True).stderr)[1]   # where nvcc finds its headers
def sh(*a): return subprocess.run(a, check=True, capture_output=True, text=True).stdout
need = {}
for so in glob.glob(lib + '/lib*.so'):
    for l in sh('nm', '-D', '--undefined-only', so).splitlines():
        m = re.match(r'\s+[Uw] (\S+)', l)
        if m: n, _, v = m[1].partition('@'); need.setdefault(n, set()).add(v.lstrip('@'))
needed = set(re.findall(r'\[(lib[^\]]+)\]', ''.join(sh('readelf', '-d', so) for so in glob.glob(lib + '/lib*.so'))))
families = {'libcublasLt': 'cublasLt', 'libcublas': 'cublas', 'libcudnn': 'cudnn', 'libcufft': 'cufft', 'libcurand': 'curand', 'libcusparseLt': 'cusparseLt', 'libcusparse': 'cusparse', 'libcusolver': 'cusolver', 'libnccl': 'nccl', 'libnvshmem_host': 'nvshmem', 'libcupti': 'cupti', 'libnvrtc': 'nvrtc', 'libcufile': 'cuFile'}
own = {'cublasLtMatmulAlgoGetHeuristic': 'int cublasLtMatmulAlgoGetHeuristic(void*h,void*d,void*a,void*b,void*c,void*e,void*p,int n,void*r,int*got){__builtin_memset(r,0,96);*got=1;return 0;}',
       'cublasCreate_v2': 'static char T[64]; int cublasCreate_v2(void**h){*h=T;return 0;}', 'cublasLtCreate': 'static char T2[64]; int cublasLtCreate(void**h){*h=T2;return 0;}', 'cudnnCreate': 'static char T3[64]; int cudnnCreate(void**h){*h=T3;return 0;}',
       'cublasGetPointerMode_v2': 'int cublasGetPointerMode_v2(void*h,int*m){*m=0;return 0;}', 'cudnnGetVersion': 'unsigned long cudnnGetVersion(void){return 92400;}', 'ncclGetVersion': 'int ncclGetVersion(int*v){*v=23007;return 0;}'}
done = set()
for name in sorted(needed):
    stem = name.split('.so')[0]
    if stem not in families or stem == 'libcudart': continue
    pre = families[stem]; syms = [s for s in need if s.startswith(pre) and not (pre == 'cublas' and s.startswith('cublasLt')) and not (pre == 'cusparse' and s.startswith('cusparseLt'))] or [pre + 'Nothing']
    if stem == 'libnccl': syms += [s for s in need if s.startswith('pnccl')]
    c = ''.join(own.get(s, 'int %s(void){return 0;}' % s) + '\n' for s in sorted(syms)); open(out + '/s.c', 'w').write(c)
    versions = {v for s in syms for v in need.get(s, ()) if v}; args = []
    if versions: open(out + '/s.map', 'w').write(''.join('%s { global: %s*; local: *; };\n' % (v, pre) for v in sorted(versions)[:1])); args = ['-Wl,--version-script=' + out + '/s.map']
    sh('gcc', '-w', '-shared', '-fPIC', '-o', out + '/' + name, out + '/s.c', '-Wl,-soname,' + name, *args)
open(out + '/rt.map', 'w').write('libcudart.so.13 { global: cuda*; __cuda*; fake_*; local: *; };\n')
src = open(here + '/fake_cuda.cpp').read(); src = re.sub(r'(?m)^(.*)\b(cudaMemcpy|cudaMemcpyAsync|cudaMemcpyPeerAsync)\b', r'\1fake_unused_\2', src); src = re.sub(r'(cudaGetDeviceProperties\(.*?)(return cudaSuccess;)', lambda m: m[1] + 'p->maxGridSize[0] = 2147483647; p->maxGridSize[1] = p->maxGridSize[2] = 65535; p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024; p->maxThreadsDim[2] = 64; p->sharedMemPerBlockOptin = 232448; p->sharedMemPerMultiprocessor = 233472; p->regsPerBlock = 65536; p->l2CacheSize = 52428800; p->maxBlocksPerMultiProcessor = 32; ' + m[2], src, count=1, flags=re.S); open(out + '/fake.cpp', 'w').write(src); mine = open(here + '/rest_cudart.cpp').read(); defined = set(re.findall(r'CUDARTAPI (cuda\w+)\(', src))
mine = '\n'.join(l for l in mine.splitlines() if not (l.startswith('API') and (m := re.search(r' (\w+)\(', l)) and m[1] in defined)); open(out + '/rest.cpp', 'w').write(mine)
have = defined | set(re.findall(r'^API .*?(\w+)\(', mine, re.M)); rt = sorted(n for n, v in need.items() if 'libcudart.so.13' in v and n not in have); print('cudart functions that only return success:', ' '.join(rt))
open(out + '/none.c', 'w').write(''.join('__attribute__((weak)) int %s(void){return 0;}\n' % n for n in rt))
sh('gcc', '-w', '-c', '-fPIC', '-o', out + '/none.o', out + '/none.c')
sh('g++', '-std=c++20', '-O2', '-w', '-fPIC', '-shared', '-I' + cu, out + '/fake.cpp', out + '/rest.cpp', out + '/none.o', '-o', out + '/libcudart.so.13', '-Wl,-soname,libcudart.so.13', '-Wl,--version-script=' + out + '/rt.map')
sh('g++', '-std=c++20', '-O2', '-w', '-fPIC', '-shared', here + '/fake_nvml.cpp', '-o', out + '/libnvidia-ml.so.1', '-Wl,-soname,libnvidia-ml.so.1', '-L' + out, '-l:libcudart.so.13')
cu_names = sorted({n for n in need if re.match(r'cu[A-Z]', n) and not n.startswith(('cuFile',))} | {w for so in ('libc10_cuda.so', 'libtorch_cuda.so', 'libcaffe2_nvrtc.so') for w in re.findall(r'\bcu(?:Device|Mem|Ctx|Get|Stream|Event|Init|Module|Launch|Func|Occupancy|Link|Tensor|Multicast|Pointer|Graph|Library|Kernel)\w+\b', sh('strings', lib + '/' + so))})
base = open(here + '/fake_libcuda.c').read(); open(out + '/drv.c', 'w').write(base + '\nint cuDevicePrimaryCtxGetState(int d, unsigned* f, int* a) { *f = 0; *a = 1; return 0; }\nint cuCtxGetCurrent(void** c) { static char t[8]; *c = t; return 0; }\n' +
  ''.join('__attribute__((weak)) int %s(void){return 0;}\n' % n for n in cu_names if n not in base and n not in ('cuDevicePrimaryCtxGetState', 'cuDeviceGet', 'cuCtxGetCurrent')))
sh('gcc', '-w', '-shared', '-fPIC', '-o', out + '/libcuda.so.1', out + '/drv.c', '-Wl,-soname,libcuda.so.1')
print(sorted(os.listdir(out)))
