import './node-version.ts';

await import('./boot/start.ts');
