import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useSession } from '../store/use-station.ts'
import css from './print-sheet.module.css'
import { plainHtml } from './plain-html.ts'
import { withContentPolicy } from './seal-html.ts'
import { t } from '../words/t.ts'

export type PrintFrameProps = {
  readonly id: string
  readonly onEnd: () => void
  readonly onFail: () => void
}

/**
 * A page from the service in a frame that is not shown and prints itself. It still runs no script and reaches no network;
 * it is of our origin only because a window cannot tell a stranger's frame to print.
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
