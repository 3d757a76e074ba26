/** pdf.js, set so that a file gets neither scripts nor a network; see `vite.renderer.config.ts` for its own files. */
import { getDocument, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist'
// oxlint-disable-next-line import/default -- Vite makes this module, with a worker as its default
import PdfJsWorker from 'pdfjs-dist/build/pdf.worker.min.mjs?worker'

export type OpenPdf = {
  readonly document: PDFDocumentProxy
  readonly pageCount: number
  close(): void
}

/** Opens a PDF; rejects where the bytes are none, or need a password. */
export async function openPdf(blob: Blob): Promise<OpenPdf> {
  const files = new URL('pdf/', document.baseURI).href
  const port = new PdfJsWorker()
  const worker = PDFWorker.create({ port })
  const loading = getDocument({
    data: new Uint8Array(await blob.arrayBuffer()),
    worker,
    cMapUrl: `${files}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
    useWasm: false,
    enableXfa: false,
    stopAtErrors: false,
  })
  const close = (): void => {
    void loading.destroy().finally(() => {
      worker.destroy()
      port.terminate()
    })
  }
  try {
    const pdf = await loading.promise
    return { document: pdf, pageCount: pdf.numPages, close }
  } catch (error) {
    close()
    throw error
  }
}
