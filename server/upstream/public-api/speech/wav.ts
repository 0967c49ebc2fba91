/** Writes samples as a WAV file: one channel of 16 bits. */
const headerBytes = 44;

export function wavOf(samples: Float32Array, sampleRate: number): Buffer {
  const file = Buffer.alloc(headerBytes + samples.length * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples.length * 2, 40);
  for (const [index, sample] of samples.entries()) {
    file.writeInt16LE(
      Math.round(Math.max(-1, Math.min(1, sample)) * 32_767),
      headerBytes + index * 2,
    );
  }
  return file;
}
