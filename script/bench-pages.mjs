// Response times of pages while every permitted workload runs at full speed (budget R4).
// node script/bench-pages.mjs http://localhost:8080 [SECONDS]
// Hosts as many allocators as the server permits, with one workload without a limit on each, requests the pages in
// turn, and closes the allocators at the end.
const [base, seconds = "30"] = process.argv.slice(2);
if (!base) {
  console.error("Usage: node script/bench-pages.mjs BASE [SECONDS]");
  process.exit(2);
}

const json = { "Content-Type": "application/json" };

async function post(path, body) {
  const answer = await fetch(base + path, { method: "POST", headers: json, body: JSON.stringify(body) });
  return answer.ok ? answer.json() : null;
}

async function milliseconds(path) {
  const start = performance.now();
  const answer = await fetch(base + path, { headers: { Accept: "text/html" } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return performance.now() - start;
}

function report(label, times) {
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(0);
  console.log(`${label}: ${times.length} pages, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
}

async function sample(paths, forSeconds) {
  const times = [];
  const end = performance.now() + 1000 * forSeconds;
  for (let i = 0; performance.now() < end; i++) {
    times.push(await milliseconds(paths[i % paths.length]));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return times;
}

const hosted = [];
try {
  for (;;) {
    const allocator = await post("/api/v1/allocators", { device: "sim:16GiB", kind: "caching", settings: "" });
    if (!allocator) break;
    hosted.push(allocator.id);
  }
  const paths = ["/", "/snapshots", "/live", "/about", `/live/${hosted[0]}`];
  await sample(paths, 5);
  report("idle", await sample(paths, 5));
  const runs = [];
  for (const id of hosted) {
    const run = await post(`/api/v1/allocators/${id}/workloads`, { workload: "training-varying" });
    runs.push(`/api/v1/allocators/${id}/workloads/${run.id}`);
  }
  const start = performance.now();
  report(`${runs.length} workloads`, await sample(paths, Number(seconds)));
  let allocations = 0;
  for (const run of runs) allocations += (await (await fetch(base + run)).json()).allocations;
  console.log(`${((allocations * 1000) / (performance.now() - start)).toFixed(0)} allocations per second in total`);
} finally {
  for (const id of hosted) await fetch(`${base}/api/v1/allocators/${id}`, { method: "DELETE" });
}
