/** PDF reports, rendered by pdf.js. */
import { Loader, VisuallyHidden } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { IconFileOff } from '@tabler/icons-react'
import { getDocument, type PDFDocumentProxy, type PDFPageProxy, PDFWorker } from 'pdfjs-dist'
// oxlint-disable-next-line import/default -- Vite makes this module, with a worker as its default
import PdfJsWorker from 'pdfjs-dist/build/pdf.worker.min.mjs?worker'
import { useEffect, useRef, useState } from 'react'
import { useLoaded } from '../components/browser.tsx'
import { EmptyState } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'
import { useSession } from '../store/use-station.ts'
import { UnavailableReport } from './report-formats.tsx'
import css from './report-reader.module.css'

type OpenPdf = { readonly document: PDFDocumentProxy; readonly pageCount: number; close(): void }

/**
 * Opens a PDF, which can neither run scripts nor use the network; rejects if the bytes are invalid or need a password.
 * For the files of pdf.js see `vite.renderer.config.ts`.
 */
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

/** CSS pixels: readable, and as wide as the reader's column beside the images. */
const PAGE_WIDTH = 860

/** A larger canvas only costs memory. */
const MAX_SCALE = 2

/** One page: a canvas for the eye, text for screen readers. Rendered once it scrolls into view. */
function PdfPage({ pdf, number }: { readonly pdf: OpenPdf; readonly number: number }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [wasSeen, setWasSeen] = useState(false)
  if (inViewport && !wasSeen) setWasSeen(true)
  const [text, setText] = useState('')
  const [ratio, setRatio] = useState(Math.SQRT2)

  useEffect(() => {
    if (!wasSeen) return undefined
    let stop = (): void => undefined
    let isCurrent = true
    const draw = async (): Promise<void> => {
      const page = await pdf.document.getPage(number)
      const target = canvas.current
      if (!isCurrent || !target) return
      const { width, height } = page.getViewport({ scale: 1 })
      setRatio(height / width)
      const scale = (PAGE_WIDTH / width) * Math.min(window.devicePixelRatio || 1, MAX_SCALE)
      const viewport = page.getViewport({ scale })
      target.width = Math.floor(viewport.width)
      target.height = Math.floor(viewport.height)
      const task = page.render({ canvas: target, viewport })
      stop = () => task.cancel()
      await task.promise
      const pageText = await readText(page)
      if (isCurrent) setText(pageText)
    }
    draw().catch((error: unknown) => {
      // Leaving a page during rendering rejects too.
      if (isCurrent) throw error
    })
    return () => {
      isCurrent = false
      stop()
    }
  }, [pdf, number, wasSeen])

  return (
    <div
      ref={ref}
      className={css.page}
      style={{ aspectRatio: `1 / ${ratio}` }}
      role="group"
      aria-label={t('report:page', { number, count: pdf.pageCount })}
    >
      <canvas ref={canvas} className={css.canvas} aria-hidden />
      <VisuallyHidden>{text}</VisuallyHidden>
    </div>
  )
}

async function readText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}

const closePdf = (pdf: OpenPdf): void => pdf.close()

export function PdfReport({ id }: { readonly id: string }) {
  const { link } = useSession()
  const bytes = useLoaded(id, () => link.readBytes('report', id))
  const blob = bytes.kind === 'ready' ? bytes.value : null
  const pdf = useLoaded(blob && id, () => (blob ? openPdf(blob) : Promise.reject(new Error())), closePdf)
  if (bytes.kind === 'failed') return <UnavailableReport />
  if (pdf.kind === 'failed')
    return (
      <EmptyState icon={IconFileOff} title={t('report:pdfBroken.title')} body={t('report:pdfBroken.body')} />
    )
  if (pdf.kind === 'loading') return <Loader className={css.loading} aria-label={t('report:pdfLoading')} />
  return (
    <div className={css.pages}>
      {Array.from({ length: pdf.value.pageCount }, (_nothing, index) => (
        <PdfPage key={index + 1} pdf={pdf.value} number={index + 1} />
      ))}
    </div>
  )
}
