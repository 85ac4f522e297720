import os, random, torch, torch.nn as nn, torch.nn.functional as F, oomrec
FIX = os.environ.get('FIX')

def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]): layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])

generator = discriminator = None
samples = []          # for the picture grid at the end

def d_step(real, opt):
    z = torch.randn(real.size(0), 256, device='cuda')
    fake = generator(z).detach()
    loss = F.softplus(-discriminator(real)).mean() + F.softplus(discriminator(fake)).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    return loss.item()

def g_step(n, opt):
    z = torch.randn(n, 256, device='cuda')
    fake = generator(z)
    loss = F.softplus(-discriminator(fake)).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    return loss.item(), fake

def main():
    global generator, discriminator
    generator = mlp(256, 1024, 4096, 3 * 64 * 64).cuda()
    discriminator = mlp(3 * 64 * 64, 2048, 512, 1).cuda()
    opt_g = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
    opt_d = torch.optim.Adam(discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))
    for it in range(60):
        real = torch.rand(1024, 3 * 64 * 64, device='cuda')
        d_loss = d_step(real, opt_d)
        g_loss, fake = g_step(1024, opt_g)
        if it % 2 == 0:
            samples.append(fake[:16].detach().cpu() if FIX else fake[:16].detach())     # a view keeps the whole batch
        oomrec.tick()

if __name__ == '__main__': oomrec.run(main)
