import { Loader } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { ReportVersion } from '../../src-shared/report.ts'
import { EmptyState } from '../parts/empty-place.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { useBytesUrl } from '../parts/use-bytes-url.ts'
import { HtmlReport } from './html-report.tsx'
import { LinkReport } from './link-report.tsx'
import css from './report-reader.module.css'
import { t } from '../words/t.ts'

const PdfReport = lazy(async () => ({ default: (await import('./pdf-report.tsx')).PdfReport }))

/** The content of one version, by its kind. All of it is hostile input. */
export function ReportContent({ version }: { readonly version: ReportVersion }) {
  switch (version.kind) {
    case 'pdf':
      return (
        <Suspense fallback={<Loader className={css.loading} aria-label={t('report:pdfLoading')} />}>
          <PdfReport id={version.id} />
        </Suspense>
      )
    case 'html':
      return <HtmlReport id={version.id} />
    case 'json':
      return (
        <div className={css.paper}>
          <JsonTree value={version.json} />
        </div>
      )
    case 'text':
      return (
        <div className={css.paper}>
          <pre className={css.text}>{version.text}</pre>
        </div>
      )
    case 'image':
      return <PictureReport id={version.id} />
    case 'link':
      return <LinkReport address={version.text ?? ''} />
    case 'unknown':
      return <EmptyState icon={IconFileOff} title={t('report:kind.unknown')} body={t('report:unknownKind')} />
  }
}

function PictureReport({ id }: { readonly id: string }) {
  const bytes = useBytesUrl('report', id)
  if (bytes.kind === 'ready') return <img className={css.picture} src={bytes.url} alt={t('report:title')} />
  if (bytes.kind === 'loading') return <Loader className={css.loading} aria-label={t('report:title')} />
  return (
    <EmptyState
      icon={IconFileOff}
      title={t('report:unavailable.title')}
      body={t('report:unavailable.body')}
    />
  )
}
