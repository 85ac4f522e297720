import os, torch
def run(main):
    torch.cuda.memory._record_memory_history(max_entries=1000000, stacks='python'); torch.backends.cuda.enable_cudnn_sdp(False)
    e=None
    try: main(int(os.environ['BATCH']))
    except torch.OutOfMemoryError as x: e=x
    st=torch.cuda.memory_stats(); print(os.environ['BATCH'],'failed' if e else 'ok',st['allocated_bytes.all.peak'],st['reserved_bytes.all.peak'],st['num_alloc_retries'],flush=True)
    if os.environ.get('OUT'): torch.cuda.memory._dump_snapshot(os.environ['OUT'])
    os._exit(0)
