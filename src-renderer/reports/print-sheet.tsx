import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ReportVersion } from '../../src-shared/report.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { useSession } from '../store/use-station.ts'
import { renderForPrint } from './draw-for-print.ts'
import { PrintFrame } from './print-frame.tsx'
import css from './print-sheet.module.css'
import { t } from '../words/t.ts'

export type PrintSheetProps = {
  readonly version: ReportVersion
  /** Whose report it is; a sheet of paper must say that by itself. */
  readonly heading: string
  readonly onEnd: () => void
  /** What cannot be drawn is not printed. */
  readonly onFail: () => void
}

/** The report beside the screen and never on it: while it is there, paper shows nothing else. */
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

/** A PDF is its own sheets and says itself whose it is; a picture gets a heading. */
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

/** Resolves once a picture can be drawn at once. */
async function decoded(url: string): Promise<void> {
  const image = new Image()
  image.src = url
  await image.decode()
}

/** Opens the dialog of the system once the sheet is drawn; answers how to take that back. */
function printNow(onEnd: () => void): () => void {
  window.addEventListener('afterprint', onEnd)
  const timer = setTimeout(() => window.print(), 50)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('afterprint', onEnd)
  }
}
