/** PDF reports, rendered by pdf.js, and the printing of all reports. */
import { Loader, Stack, VisuallyHidden } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { getDocument, type PDFDocumentProxy, type PDFPageProxy, PDFWorker } from 'pdfjs-dist'
// oxlint-disable-next-line import/default -- Vite makes this module, with a worker as its default
import PdfJsWorker from 'pdfjs-dist/build/pdf.worker.min.mjs?worker'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ReportVersion } from '../../src-shared/report.ts'
import { useLoaded, useSeen } from '../components/browser.tsx'
import { EmptyState } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'
import { useSession } from '../store/use-station.ts'
import printCss from './print-sheet.module.css'
import { JsonTree, UnavailableReport, useReportPage } from './report-formats.tsx'
import css from './report-reader.module.css'

type OpenPdf = { readonly document: PDFDocumentProxy; readonly pageCount: number; close(): void }

/**
 * Opens a PDF, which can neither run scripts nor use the network; rejects if the bytes are invalid or need a password.
 * For the files of pdf.js see `vite.renderer.config.ts`.
 */
async function openPdf(blob: Blob): Promise<OpenPdf> {
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
  const { ref, wasSeen } = useSeen<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [ratio, setRatio] = useState(Math.SQRT2)
  const text = useLoaded(wasSeen ? String(number) : null, async (gone) => {
    const page = await pdf.document.getPage(number)
    const target = canvas.current
    if (gone.aborted || !target) return ''
    const { width, height } = page.getViewport({ scale: 1 })
    setRatio(height / width)
    const scale = (PAGE_WIDTH / width) * Math.min(window.devicePixelRatio || 1, MAX_SCALE)
    const viewport = page.getViewport({ scale })
    target.width = Math.floor(viewport.width)
    target.height = Math.floor(viewport.height)
    const task = page.render({ canvas: target, viewport })
    gone.addEventListener('abort', () => task.cancel())
    await task.promise
    return readText(page)
  })
  return (
    <div
      ref={ref}
      className={css.page}
      style={{ aspectRatio: `1 / ${ratio}` }}
      role="group"
      aria-label={t('report:page', { number, count: pdf.pageCount })}
    >
      <canvas ref={canvas} className={css.canvas} aria-hidden />
      <VisuallyHidden>{text.kind === 'ready' && text.value}</VisuallyHidden>
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
    <Stack align="center">
      {Array.from({ length: pdf.value.pageCount }, (_nothing, index) => (
        <PdfPage key={index + 1} pdf={pdf.value} number={index + 1} />
      ))}
    </Stack>
  )
}

/** About 200 dots per inch on A4: sharp on paper, and a page takes a few megabytes. */
const PRINTED_WIDTH = 1_654

/** The pages of a PDF as pictures, rendered one after another so that one canvas is enough. */
async function renderForPrint(blob: Blob, gone: AbortSignal): Promise<Blob[]> {
  const pdf = await openPdf(blob)
  try {
    const pictures: Blob[] = []
    for (let number = 1; number <= pdf.pageCount && !gone.aborted; number += 1) {
      const page = await pdf.document.getPage(number)
      const { width } = page.getViewport({ scale: 1 })
      const viewport = page.getViewport({ scale: PRINTED_WIDTH / width })
      const canvas = document.createElement('canvas')
      canvas.width = Math.floor(viewport.width)
      canvas.height = Math.floor(viewport.height)
      await page.render({ canvas, viewport, intent: 'print' }).promise
      pictures.push(await asPng(canvas))
    }
    return pictures
  } finally {
    pdf.close()
  }
}

async function asPng(canvas: HTMLCanvasElement): Promise<Blob> {
  const { promise, resolve } = Promise.withResolvers<Blob | null>()
  canvas.toBlob(resolve, 'image/png')
  const blob = await promise
  if (!blob) throw new Error('The page could not be drawn')
  return blob
}

/**
 * A page from the service in a hidden frame that prints itself. It still runs no scripts and uses no network; it
 * shares our origin only because a window cannot print a cross-origin frame.
 */
function PrintFrame({ version, band, onEnd, onFail }: Omit<PrintSheetProps, 'heading'>) {
  const page = useReportPage(version.id)
  useEffect(() => {
    if (page.kind === 'failed') onFail()
  }, [page.kind, onFail])
  if (page.kind !== 'ready') return null
  return createPortal(
    <iframe
      className={printCss.frame}
      title={t('report:html')}
      aria-hidden
      tabIndex={-1}
      sandbox="allow-same-origin allow-modals"
      srcDoc={
        page.value + (band ? `<h1 style="position:fixed;top:0;color:#b00;background:#fff">${band}</h1>` : '')
      }
      referrerPolicy="no-referrer"
      onLoad={(event) => {
        const frame = event.currentTarget.contentWindow
        if (!frame) return onFail()
        frame.addEventListener('afterprint', onEnd)
        frame.print()
      }}
    />,
    document.body,
  )
}

export type PrintSheetProps = {
  readonly version: ReportVersion
  /** The patient; each sheet of paper must identify the patient. */
  readonly heading: string
  /** Why the report must not be used, on each sheet. */
  readonly band: string | undefined
  readonly onEnd: () => void
  /** Called if it cannot be rendered: nothing is printed then. */
  readonly onFail: () => void
}

export function PrintSheet(props: PrintSheetProps) {
  const { kind } = props.version
  if (kind === 'html') return <PrintFrame {...props} />
  return kind === 'pdf' || kind === 'image' ? <PrintImages {...props} /> : <PrintText {...props} />
}

type SheetProps = Pick<PrintSheetProps, 'version' | 'heading' | 'band'> & { readonly children: ReactNode }

/** A PDF has its own pages and identification; everything else gets a heading. */
function Sheet({ version, heading, band, children }: SheetProps) {
  return createPortal(
    <section className={printCss.sheet} data-print-sheet data-band={band} aria-label={heading}>
      {version.kind !== 'pdf' && <h1 className={printCss.heading}>{heading}</h1>}
      {children}
    </section>,
    document.body,
  )
}

function PrintText({ version, heading, band, onEnd }: PrintSheetProps) {
  useEffect(() => printNow(onEnd), [onEnd])
  return (
    <Sheet version={version} heading={heading} band={band}>
      {version.kind === 'json' ? (
        <JsonTree value={version.json} />
      ) : (
        <p className={printCss.text}>{version.text ?? ''}</p>
      )}
    </Sheet>
  )
}

function revokeAll(urls: readonly string[]): void {
  for (const url of urls) URL.revokeObjectURL(url)
}

function PrintImages({ version, heading, band, onEnd, onFail }: PrintSheetProps) {
  const { link } = useSession()
  const { id, kind } = version
  const drawn = useLoaded(
    id,
    async (gone) => {
      const blob = await link.readBytes('report', id)
      const pictures = kind === 'pdf' ? await renderForPrint(blob, gone) : [blob]
      const urls = pictures.map((one) => URL.createObjectURL(one))
      try {
        await Promise.all(urls.map(decoded))
      } catch (error) {
        revokeAll(urls)
        throw error
      }
      return urls
    },
    revokeAll,
  )
  useEffect(() => {
    if (drawn.kind === 'failed') onFail()
    return drawn.kind === 'ready' ? printNow(onEnd) : undefined
  }, [drawn.kind, onEnd, onFail])
  if (drawn.kind !== 'ready') return null
  return (
    <Sheet version={version} heading={heading} band={band}>
      {drawn.value.map((url, index) => (
        <img
          key={url}
          className={kind === 'pdf' ? printCss.page : printCss.picture}
          src={url}
          alt={t('report:page', { number: index + 1, count: drawn.value.length })}
        />
      ))}
    </Sheet>
  )
}

async function decoded(url: string): Promise<void> {
  const image = new Image()
  image.src = url
  await image.decode()
}

/** Opens the print dialog once the sheet is rendered; returns the function that cancels this. */
function printNow(onEnd: () => void): () => void {
  window.addEventListener('afterprint', onEnd)
  const timer = setTimeout(() => window.print(), 50)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('afterprint', onEnd)
  }
}
