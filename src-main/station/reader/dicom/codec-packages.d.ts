/** The parts of two packages that are used; they come without types. Decoders throw numbers and errors of WebAssembly. */
declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  class J2KDecoder {
    /** Memory for so many bytes of a code stream. */
    getEncodedBuffer(length: number): Uint8Array
    decode(): void
    /** Zeros if nothing was decoded. */
    getFrameInfo(): { readonly width: number; readonly height: number; readonly componentCount: number }
    getDecodedBuffer(): Uint8Array
  }
  const openjpeg: (options: {
    readonly wasmBinary: Uint8Array
    readonly print: (line: string) => void
    readonly printErr: (line: string) => void
  }) => Promise<{ readonly J2KDecoder: typeof J2KDecoder }>
  // oxlint-disable-next-line import/no-default-export -- so it is exported
  export default openjpeg
}

declare module '@cornerstonejs/codec-charls/decodewasmjs' {
  class JpegLSDecoder {
    getEncodedBuffer(length: number): Uint8Array
    decode(): void
    getFrameInfo(): { readonly width: number; readonly height: number; readonly componentCount: number }
    /** 0 if the samples of each colour come together. */
    getInterleaveMode(): number
    getDecodedBuffer(): Uint8Array
  }
  const charls: (options: {
    readonly wasmBinary: Uint8Array
    readonly print: (line: string) => void
    readonly printErr: (line: string) => void
  }) => Promise<{ readonly JpegLSDecoder: typeof JpegLSDecoder }>
  // oxlint-disable-next-line import/no-default-export -- so it is exported
  export default charls
}
