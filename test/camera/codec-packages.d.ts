/** The encoders of two packages whose decoders the reader uses; they come without types. */
declare module '@cornerstonejs/codec-openjpeg/wasmjs' {
  class J2KEncoder {
    getDecodedBuffer(frame: object): Uint8Array
    setDecompositions(times: number): void
    setQuality(isLossless: boolean, quality: number): void
    encode(): void
    getEncodedBuffer(): Uint8Array
  }
  const openjpeg: (options: {
    readonly wasmBinary: Uint8Array
    readonly print: () => void
  }) => Promise<{ readonly J2KEncoder: typeof J2KEncoder }>
  // oxlint-disable-next-line import/no-default-export -- so it is exported
  export default openjpeg
}

declare module '@cornerstonejs/codec-charls/wasmjs' {
  class JpegLSEncoder {
    getDecodedBuffer(frame: object): Uint8Array
    /** 0: a scan for each colour, 2: by pixels. */
    setInterleaveMode(mode: number): void
    setNearLossless(most: number): void
    encode(): void
    getEncodedBuffer(): Uint8Array
  }
  const charls: (options: {
    readonly wasmBinary: Uint8Array
    readonly print: () => void
  }) => Promise<{ readonly JpegLSEncoder: typeof JpegLSEncoder }>
  // oxlint-disable-next-line import/no-default-export -- so it is exported
  export default charls
}
