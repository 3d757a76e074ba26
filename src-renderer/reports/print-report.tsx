import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import type { ReportVersion } from '../../src-shared/report.ts'
import { showToast } from '../shell/tell.tsx'
import { t } from '../words/t.ts'

// What prints is fetched when somebody prints.
const PrintSheet = lazy(async () => ({ default: (await import('./print-sheet.tsx')).PrintSheet }))

export type PrintReportProps = { readonly version: ReportVersion; readonly heading: string }

/** Prints the report alone, without the screen around it. */
export function PrintReport({ version, heading }: PrintReportProps) {
  const [isPrinting, setPrinting] = useState(false)
  const end = useCallback(() => setPrinting(false), [])
  const fail = useCallback(() => {
    setPrinting(false)
    showToast({ tone: 'red', title: t('report:notPrinted.title'), message: t('report:notPrinted.body') })
  }, [])
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPrinter size={17} aria-hidden />}
        loading={isPrinting}
        onClick={() => setPrinting(true)}
      >
        {t('report:print')}
      </Button>
      {isPrinting && (
        <Suspense fallback={null}>
          <PrintSheet version={version} heading={heading} onEnd={end} onFail={fail} />
        </Suspense>
      )}
    </>
  )
}
