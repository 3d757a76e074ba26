import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReportKind, ReportVersion } from '../../src-shared/report.ts'
import { offerDownload } from '../parts/offer-download.ts'
import { tell } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'

import { t } from '../words/t.ts'
const ENDINGS: Readonly<Record<ReportKind, string>> = {
  pdf: 'pdf',
  json: 'json',
  html: 'html',
  text: 'txt',
  image: 'jpg',
  link: 'txt',
}

export type SaveReportProps = { readonly version: ReportVersion; readonly name: string }

/** Saves a version as a file, byte for byte where the station serves bytes. The name carries no patient data. */
export function SaveReport({ version, name }: SaveReportProps) {
  const session = useSession()
  const save = async (): Promise<void> => {
    try {
      const ending = version.contentType === 'image/png' ? 'png' : ENDINGS[version.kind]
      offerDownload(await session.link.readBytes('report', version.id), `${name}.${ending}`)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      tell({ tone: 'red', title: t('report:unavailable.title'), message: t('report:unavailable.body') })
    }
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={17} aria-hidden />}
      onClick={() => void save()}
    >
      {t('report:save')}
    </Button>
  )
}
