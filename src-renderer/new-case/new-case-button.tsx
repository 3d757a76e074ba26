import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { goTo, writeRoute } from '../shell/routes.ts'
import { t } from '../words/t.ts'
import { DropZone } from './drop-place.tsx'
import { dropFiles } from './new-case-store.ts'

const take = (files: readonly File[]): void => {
  dropFiles(files)
  goTo({ screen: 'new' })
}

/** The way to a case without a camera: by the button, or by dropping images anywhere on the screen it stands on. */
export function NewCaseButton() {
  return (
    <>
      <Button
        component="a"
        href={writeRoute({ screen: 'new' })}
        variant="default"
        leftSection={<IconPlus size={17} aria-hidden />}
      >
        {t('newCase:button')}
      </Button>
      <DropZone label={t('newCase:dropOnQueue')} onFiles={take} />
    </>
  )
}
