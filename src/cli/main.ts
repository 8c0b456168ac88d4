#!/usr/bin/env node
import '../node-version.ts';
import '../lib/log/closed-pipes.ts';

await import('./commands.ts');
