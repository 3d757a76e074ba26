import { Loader } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { EmptyState } from '../parts/empty-place.tsx'
import { openPdf, type OpenPdf } from './open-pdf.ts'
import { PdfPage } from './pdf-page.tsx'
import readerCss from './report-reader.module.css'
import css from './pdf-page.module.css'
import { useReportBytes } from './use-report-bytes.ts'
import { t } from '../words/t.ts'

type Opening =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly pdf: OpenPdf }
  | { readonly kind: 'broken' }

/** A PDF drawn by pdf.js on canvases: no plug-in, no network, nothing that the file brings is run. */
export function PdfReport({ id }: { readonly id: string }) {
  const bytes = useReportBytes(id)
  const [opening, setOpening] = useState<Opening>({ kind: 'opening' })
  useEffect(() => {
    if (bytes.kind !== 'ready') return undefined
    let isCurrent = true
    const opened = openPdf(bytes.blob)
    opened.then(
      (pdf) => isCurrent && setOpening({ kind: 'open', pdf }),
      () => isCurrent && setOpening({ kind: 'broken' }),
    )
    return () => {
      isCurrent = false
      opened.then(
        (pdf) => pdf.close(),
        () => undefined,
      )
    }
  }, [bytes])

  if (bytes.kind === 'unavailable')
    return (
      <EmptyState
        icon={IconFileOff}
        title={t('report:unavailable.title')}
        body={t('report:unavailable.body')}
      />
    )
  if (opening.kind === 'broken')
    return (
      <EmptyState icon={IconFileOff} title={t('report:pdfBroken.title')} body={t('report:pdfBroken.body')} />
    )
  if (opening.kind === 'opening')
    return <Loader className={readerCss.loading} aria-label={t('report:pdfLoading')} />
  const { pdf } = opening
  return (
    <div className={css.pages}>
      {Array.from({ length: pdf.pageCount }, (_nothing, index) => (
        <PdfPage key={index + 1} pdf={pdf} number={index + 1} />
      ))}
    </div>
  )
}
