/** Printing and saving a report. */
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ReportVersion } from '../../src-shared/report.ts'
import { JsonTree, plainHtml, withContentPolicy } from './report-formats.tsx'
import { t } from '../i18n/i18n.ts'
import { useSession } from '../store/use-station.ts'
import { openPdf } from './pdf-report.tsx'
import css from './print-sheet.module.css'

/** About 200 dots per inch on A4: sharp on paper, and a page takes a few megabytes. */
const PAGE_WIDTH = 1_654

/** The pages of a PDF as pictures, rendered one after another so that one canvas is enough. */
export async function renderForPrint(blob: Blob, isWanted: () => boolean): Promise<Blob[]> {
  const pdf = await openPdf(blob)
  try {
    const pictures: Blob[] = []
    for (let number = 1; number <= pdf.pageCount && isWanted(); number += 1) {
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

export type PrintFrameProps = { readonly id: string; readonly onEnd: () => void; readonly onFail: () => void }

/**
 * A page from the service in a hidden frame that prints itself. It still runs no scripts and uses no network; it
 * shares our origin only because a window cannot print a cross-origin frame.
 */
export function PrintFrame({ id, onEnd, onFail }: PrintFrameProps) {
  const session = useSession()
  const [page, setPage] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    const read = async (): Promise<void> => {
      const blob = await session.link.readBytes('report', id)
      const html = withContentPolicy(plainHtml(await blob.text()))
      if (isCurrent) setPage(html)
    }
    read().catch((error: unknown) => {
      if (!isCurrent) return
      if (!(error instanceof Error)) throw error
      onFail()
    })
    return () => {
      isCurrent = false
    }
  }, [session, id, onFail])
  if (page === null) return null
  return createPortal(
    <iframe
      className={css.frame}
      title={t('report:html')}
      aria-hidden
      tabIndex={-1}
      sandbox="allow-same-origin allow-modals"
      srcDoc={page}
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
  readonly onEnd: () => void
  /** Called if it cannot be rendered: nothing is printed then. */
  readonly onFail: () => void
}

/** The report for paper only, never on the screen: while it exists, only it is printed. */
export function PrintSheet({ version, heading, onEnd, onFail }: PrintSheetProps) {
  switch (version.kind) {
    case 'html':
      return <PrintFrame id={version.id} onEnd={onEnd} onFail={onFail} />
    case 'pdf':
    case 'image':
      return <PrintImages version={version} heading={heading} onEnd={onEnd} onFail={onFail} />
    case 'json':
    case 'text':
    case 'link':
    case 'unknown':
      return <PrintText version={version} heading={heading} onEnd={onEnd} />
  }
}

function PrintText({ version, heading, onEnd }: Omit<PrintSheetProps, 'onFail'>) {
  useEffect(() => printNow(onEnd), [onEnd])
  return createPortal(
    <section className={css.sheet} data-print-sheet aria-label={heading}>
      <h1 className={css.heading}>{heading}</h1>
      {version.kind === 'json' ? (
        <JsonTree value={version.json} />
      ) : (
        <p className={css.text}>{version.text ?? ''}</p>
      )}
    </section>,
    document.body,
  )
}

/** A PDF has its own pages and identification; a picture gets a heading. */
function PrintImages({ version, heading, onEnd, onFail }: PrintSheetProps) {
  const session = useSession()
  const [urls, setUrls] = useState<readonly string[] | null>(null)
  const { id, kind } = version
  useEffect(() => {
    const drawn: string[] = []
    let isCurrent = true
    const draw = async (): Promise<void> => {
      const blob = await session.link.readBytes('report', id)
      const pictures = kind === 'pdf' ? await renderForPrint(blob, () => isCurrent) : [blob]
      if (!isCurrent) return
      drawn.push(...pictures.map((one) => URL.createObjectURL(one)))
      await Promise.all(drawn.map(decoded))
      if (isCurrent) setUrls(drawn)
    }
    draw().catch((error: unknown) => {
      if (!isCurrent) return
      if (!(error instanceof Error)) throw error
      onFail()
    })
    return () => {
      isCurrent = false
      for (const url of drawn) URL.revokeObjectURL(url)
    }
  }, [session, id, kind, onFail])
  useEffect(() => (urls === null ? undefined : printNow(onEnd)), [urls, onEnd])
  if (urls === null) return null
  return createPortal(
    <section className={css.sheet} data-print-sheet aria-label={heading}>
      {kind === 'image' && <h1 className={css.heading}>{heading}</h1>}
      {urls.map((url, index) => (
        <img
          key={url}
          className={kind === 'pdf' ? css.page : css.picture}
          src={url}
          alt={t('report:page', { number: index + 1, count: urls.length })}
        />
      ))}
    </section>,
    document.body,
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
