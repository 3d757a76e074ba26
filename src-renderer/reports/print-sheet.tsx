/** Printing and saving a report. */
import { type ReactNode, useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { ReportVersion } from '../../src-shared/report.ts'
import { JsonTree, useReportPage } from './report-formats.tsx'
import { useLoaded } from '../components/browser.tsx'
import { t } from '../i18n/i18n.ts'
import { useSession } from '../store/use-station.ts'
import { openPdf } from './pdf-report.tsx'
import css from './print-sheet.module.css'

/** About 200 dots per inch on A4: sharp on paper, and a page takes a few megabytes. */
const PAGE_WIDTH = 1_654

/** The pages of a PDF as pictures, rendered one after another so that one canvas is enough. */
async function renderForPrint(blob: Blob, gone: AbortSignal): Promise<Blob[]> {
  const pdf = await openPdf(blob)
  try {
    const pictures: Blob[] = []
    for (let number = 1; number <= pdf.pageCount && !gone.aborted; number += 1) {
      const page = await pdf.document.getPage(number)
      const { width } = page.getViewport({ scale: 1 })
      const viewport = page.getViewport({ scale: PAGE_WIDTH / width })
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
function PrintFrame({ version, onEnd, onFail }: Omit<PrintSheetProps, 'heading'>) {
  const page = useReportPage(version.id)
  useEffect(() => {
    if (page.kind === 'failed') onFail()
  }, [page.kind, onFail])
  if (page.kind !== 'ready') return null
  return createPortal(
    <iframe
      className={css.frame}
      title={t('report:html')}
      aria-hidden
      tabIndex={-1}
      sandbox="allow-same-origin allow-modals"
      srcDoc={page.value}
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

type PrintSheetProps = {
  readonly version: ReportVersion
  /** The patient; each sheet of paper must identify the patient. */
  readonly heading: string
  readonly onEnd: () => void
  /** Called if it cannot be rendered: nothing is printed then. */
  readonly onFail: () => void
}

export function PrintSheet(props: PrintSheetProps) {
  const { kind } = props.version
  if (kind === 'html') return <PrintFrame {...props} />
  return kind === 'pdf' || kind === 'image' ? <PrintImages {...props} /> : <PrintText {...props} />
}

type SheetProps = Pick<PrintSheetProps, 'version' | 'heading'> & { readonly children: ReactNode }

/** A PDF has its own pages and identification; everything else gets a heading. */
function Sheet({ version, heading, children }: SheetProps) {
  return createPortal(
    <section className={css.sheet} data-print-sheet aria-label={heading}>
      {version.kind !== 'pdf' && <h1 className={css.heading}>{heading}</h1>}
      {children}
    </section>,
    document.body,
  )
}

function PrintText({ version, heading, onEnd }: PrintSheetProps) {
  useEffect(() => printNow(onEnd), [onEnd])
  return (
    <Sheet version={version} heading={heading}>
      {version.kind === 'json' ? (
        <JsonTree value={version.json} />
      ) : (
        <p className={css.text}>{version.text ?? ''}</p>
      )}
    </Sheet>
  )
}

function revokeAll(urls: readonly string[]): void {
  for (const url of urls) URL.revokeObjectURL(url)
}

function PrintImages({ version, heading, onEnd, onFail }: PrintSheetProps) {
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
    <Sheet version={version} heading={heading}>
      {drawn.value.map((url, index) => (
        <img
          key={url}
          className={kind === 'pdf' ? css.page : css.picture}
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
