import { Loader } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { EmptyPlace } from '../parts/empty-place.tsx'
import { REPORT_WORDS } from '../words/report-words.ts'
import { sealHtml } from './seal-html.ts'
import css from './report-reader.module.css'
import { useReportBytes } from './use-report-bytes.ts'

/** A page from the service in a frame that can neither run scripts, nor reach a network, nor touch this window. */
export function HtmlReport({ id }: { readonly id: string }) {
  const bytes = useReportBytes(id)
  const [page, setPage] = useState<string | null>(null)
  useEffect(() => {
    if (bytes.kind === 'ready') void bytes.blob.text().then((html) => setPage(sealHtml(html)))
  }, [bytes])
  if (bytes.kind === 'unavailable') return <EmptyPlace icon={IconFileOff} {...REPORT_WORDS.unavailable} />
  if (page === null) return <Loader className={css.loading} aria-label={REPORT_WORDS.html} />
  return (
    <iframe
      className={css.frame}
      title={REPORT_WORDS.html}
      sandbox=""
      srcDoc={page}
      referrerPolicy="no-referrer"
    />
  )
}
