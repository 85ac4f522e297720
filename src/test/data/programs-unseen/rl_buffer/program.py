import os, torch, torch.nn as nn, oomrec
FIX = os.environ.get('FIX')

class Env:
    def __init__(self, n): self.n = n
    def reset(self): return torch.zeros(self.n, 512, device='cuda')
    def step(self, action): return torch.randn(self.n, 512, device='cuda'), torch.rand(self.n, device='cuda')

class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(512, 1024); self.cell = nn.GRUCell(1024, 1024); self.actor = nn.Linear(1024, 18); self.critic = nn.Linear(1024, 1)
    def forward(self, obs, h):
        h = self.cell(torch.relu(self.embed(obs)), h)
        return self.actor(h).log_softmax(-1), self.critic(h).squeeze(-1), h

class RolloutBuffer:
    def __init__(self): self.reset()
    def reset(self): self.obs, self.hidden, self.rewards = [], [], []
    def add(self, obs, hidden, reward): self.obs.append(obs); self.hidden.append(hidden); self.rewards.append(reward)
    def latest(self, n): return zip(self.obs[-n:], self.hidden[-n:], self.rewards[-n:])

@torch.no_grad()
def rollout(policy, env, obs, h, buffer, horizon):
    for _ in range(horizon):
        logp, value, after = policy(obs, h)
        seen, reward = env.step(logp.argmax(-1))
        buffer.add(obs, h, reward)
        obs, h = seen, after
    return obs, h

def returns(rewards, gamma=0.99):
    out, acc = [], torch.zeros_like(rewards[0])
    for r in reversed(rewards): acc = r + gamma * acc; out.append(acc)
    return torch.stack(out[::-1])

def update(policy, optimizer, buffer, horizon):
    logps, values, rewards = [], [], []
    for obs, h, reward in buffer.latest(horizon):
        logp, value, _ = policy(obs, h)
        logps.append(logp.amax(-1)); values.append(value); rewards.append(reward)
    advantage = returns(torch.stack(rewards)) - torch.stack(values)
    loss = -(torch.stack(logps) * advantage.detach()).mean() + 0.5 * advantage.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if FIX: buffer.reset()

def main():
    policy = Policy().cuda(); env = Env(2048); buffer = RolloutBuffer()
    optimizer = torch.optim.RMSprop(policy.parameters(), lr=7e-4)
    obs, h = env.reset(), torch.zeros(2048, 1024, device='cuda')
    for iteration in range(60):
        obs, h = rollout(policy, env, obs, h, buffer, 5)
        update(policy, optimizer, buffer, 5)
        oomrec.tick()

if __name__ == '__main__': oomrec.run(main)
