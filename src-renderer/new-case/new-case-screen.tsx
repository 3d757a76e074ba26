import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowLeft, IconCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Failure } from '../../src-shared/failure.ts'
import { unlessBehindDialog } from '../parts/behind-dialog.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { goTo } from '../shell/routes.ts'
import { showToast } from '../shell/tell.tsx'
import { deferUpdates } from '../store/hold-off.ts'
import { upsertSubmission } from '../store/station-session.ts'
import { useSession } from '../store/use-station.ts'
import { FieldsContext } from '../submission/fields-context.ts'
import { focusField } from '../submission/focus-field.ts'
import { PatientBlock } from '../submission/patient-block.tsx'
import screen from '../submission/submission-screen.module.css'
import { currentSignature } from '../who/initials.ts'
import { t } from '../words/t.ts'
import { DroppedFilesDialog } from './begun-question.tsx'
import { imagesOf, missingStep } from './chosen-files.ts'
import { DropZone } from './drop-place.tsx'
import { FileBoard } from './file-board.tsx'
import { addFiles, startNext, clearNewCase, hasStartedCase, newCase } from './new-case-store.ts'
import css from './new-case.module.css'
import { useUploads } from './use-handing-over.ts'
import { useNewCaseFields } from './use-new-case-fields.ts'

/** A case of images that no camera folder brings: files, their eyes, and whose they are. */
export function NewCaseScreen() {
  const session = useSession()
  const { files, overflowCount: leftOut, isMaking } = useStore(newCase)
  const { form, fields, wrong } = useNewCaseFields()
  const [failure, setFailure] = useState<Failure | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useUploads()
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  // The files are only here, and handing them over takes a while: a reload asks first.
  const hasFiles = files.length > 0
  useEffect(() => {
    if (!hasFiles) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [hasFiles])

  const hasStarted = useStore(newCase, hasStartedCase)
  useEffect(() => {
    if (hasStarted) deferUpdates(session, 'a new case', hasStartedCase)
  }, [hasStarted, session])

  const missing = missingStep(files)
  const create = async (): Promise<void> => {
    if (missing !== null || newCase.getState().isMaking) return
    if (fields === null) {
      showToast({ tone: 'red', message: t('submission:correctFirst') })
      if (wrong !== null) focusField(wrong)
      return
    }
    newCase.setState({ isMaking: true })
    setFailure(null)
    const answer = await session.call('submissions.create', {
      ...currentSignature(),
      fields,
      images: imagesOf(files),
    })
    newCase.setState({ isMaking: false })
    if (!answer.ok) return setFailure(answer.failure)
    startNext()
    upsertSubmission(session, answer.value)
    showToast({ tone: 'green', message: t('newCase:made', { reference: answer.value.reference }) })
    goTo({ screen: 'submission', id: answer.value.id })
  }
  useHotkeys([['mod+Enter', unlessBehindDialog(() => void create())]], [])
  return (
    <FieldsContext value={form}>
      <div className={screen.header}>
        <Button
          component="a"
          href="#/queue"
          variant="subtle"
          color="gray"
          px={10}
          leftSection={<IconArrowLeft size={17} aria-hidden />}
        >
          {t('submission:back')}
        </Button>
        <div className={screen.who}>
          <h1 ref={heading} tabIndex={-1} className={css.title}>
            {t('newCase:title')}
          </h1>
        </div>
        <span className={screen.gap} />
        <span className={css.missing} role="status">
          {missing !== null && t(`newCase:${missing}`)}
        </span>
        <Button size="md" variant="default" disabled={isMaking} onClick={cancel}>
          {t('newCase:cancel')}
        </Button>
        <Button
          size="md"
          leftSection={<IconCheck size={17} aria-hidden />}
          disabled={missing !== null}
          loading={isMaking}
          onClick={() => void create()}
        >
          {t('newCase:create')}
        </Button>
      </div>
      <div className={screen.screen}>
        {failure !== null && <FailureNotice failure={failure} />}
        <div className={css.columns} inert={isMaking}>
          <FileBoard files={files} overflowCount={leftOut} />
          <form onSubmit={(event) => event.preventDefault()} noValidate>
            <PatientBlock />
          </form>
        </div>
      </div>
      <DropZone label={t('newCase:drop')} onFiles={isMaking ? null : addFiles} />
      <DroppedFilesDialog />
    </FieldsContext>
  )
}

function cancel(): void {
  clearNewCase()
  goTo({ screen: 'queue' })
}
