#!/usr/bin/env node
import '../node-version.ts';

await import('./commands.ts');
