import './node-version.ts';
import './lib/log/closed-pipes.ts';

await import('./boot/start.ts');
