import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { offerDownload } from '../parts/offer-download.ts'
import { showToast } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { t } from '../words/t.ts'

export type SaveReportProps = { readonly id: string; readonly fileName: string }

/** Saves a version as a file, byte for byte as it came. */
export function SaveReport({ id, fileName }: SaveReportProps) {
  const session = useSession()
  const save = async (): Promise<void> => {
    try {
      offerDownload(await session.link.readBytes('report', id), fileName)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      showToast({ tone: 'red', title: t('report:unavailable.title'), message: t('report:unavailable.body') })
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
