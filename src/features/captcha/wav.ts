const headerLength = 44;

export const speechRate = 11_025;

export function wavOf(samples: Float32Array, rate: number): Buffer {
  const wav = Buffer.alloc(headerLength + samples.length);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16); // length of the format
  wav.writeUInt16LE(1, 20); // PCM
  wav.writeUInt16LE(1, 22); // channels
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate, 28); // bytes per second
  wav.writeUInt16LE(1, 32); // bytes per sample
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples.length, 40);
  for (let index = 0; index < samples.length; index += 1)
    wav[headerLength + index] = Math.max(0, Math.min(255, Math.round(128 + (samples[index] ?? 0) * 127)));
  return wav;
}

export function samplesOf(wav: Buffer): Float32Array {
  return Float32Array.from(wav.subarray(headerLength), (byte) => (byte - 128) / 127);
}
