import { Loader } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { EmptyState } from '../parts/empty-place.tsx'
import { plainHtml } from './plain-html.ts'
import { withContentPolicy } from './seal-html.ts'
import css from './report-reader.module.css'
import { useReportBytes } from './use-report-bytes.ts'
import { t } from '../words/t.ts'

/** A page from the service in a frame that can neither run scripts, nor reach a network, nor touch this window. */
export function HtmlReport({ id }: { readonly id: string }) {
  const bytes = useReportBytes(id)
  const [page, setPage] = useState<string | null>(null)
  useEffect(() => {
    if (bytes.kind === 'ready')
      void bytes.blob.text().then((html) => setPage(withContentPolicy(plainHtml(html))))
  }, [bytes])
  if (bytes.kind === 'unavailable')
    return (
      <EmptyState
        icon={IconFileOff}
        title={t('report:unavailable.title')}
        body={t('report:unavailable.body')}
      />
    )
  if (page === null) return <Loader className={css.loading} aria-label={t('report:html')} />
  return (
    <iframe
      className={css.frame}
      title={t('report:html')}
      sandbox=""
      srcDoc={page}
      referrerPolicy="no-referrer"
    />
  )
}
