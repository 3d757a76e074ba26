import { Button } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useRef, type ChangeEvent } from 'react'
import screen from '../submission/submission-screen.module.css'
import { t } from '../words/t.ts'
import {
  MAX_FILE_SIZE_TEXT,
  MAX_FILES,
  earlierDuplicate,
  withChange,
  type ChosenFile,
} from './chosen-files.ts'
import { FileCard } from './file-card.tsx'
import { addFiles, newCase } from './new-case-store.ts'
import css from './new-case.module.css'

/** What is offered first; a camera's files without an extension can still be chosen under "all files". */
const ACCEPTED =
  '.jpg,.jpeg,.png,.tif,.tiff,.bmp,.dcm,image/jpeg,image/png,image/tiff,image/bmp,application/dicom'

function choose({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
  addFiles([...(currentTarget.files ?? [])])
  // The same file can be chosen again after it was taken out.
  currentTarget.value = ''
}

function change(id: string, changes: Partial<Pick<ChosenFile, 'eye' | 'state'>>): void {
  newCase.setState((state) => ({ files: withChange(state.files, id, changes) }))
}

function remove(id: string): void {
  newCase.setState((state) => ({ files: state.files.filter((one) => one.id !== id) }))
}

export type FileBoardProps = { readonly files: readonly ChosenFile[]; readonly overflowCount: number }

/** The chosen files as pictures, each with its eye, and the ways to choose more. */
export function FileBoard({ files, overflowCount }: FileBoardProps) {
  const input = useRef<HTMLInputElement>(null)
  const chooseButton = (
    <Button
      variant={files.length === 0 ? 'filled' : 'default'}
      leftSection={<IconPhotoPlus size={17} aria-hidden />}
      onClick={() => input.current?.click()}
    >
      {files.length === 0 ? t('newCase:choose') : t('newCase:chooseMore')}
    </Button>
  )
  return (
    <section className={screen.block} aria-labelledby="new-images">
      <div className={css.head}>
        <h2 id="new-images">
          {files.length === 0 ? t('submission:images.title') : t('newCase:images', { count: files.length })}
        </h2>
        {files.length > 0 && chooseButton}
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label={t('newCase:choose')}
        onChange={choose}
      />
      {files.length === 0 ? (
        <div className={css.empty}>
          <IconPhotoPlus size={40} stroke={1.3} aria-hidden />
          <strong>{t('newCase:drop')}</strong>
          <span>{t('newCase:explain')}</span>
          <span>{t('newCase:dropMeans', { size: MAX_FILE_SIZE_TEXT })}</span>
          {chooseButton}
        </div>
      ) : (
        <>
          <p className={css.hint}>{t('newCase:eyeHint')}</p>
          <div className={css.cards}>
            {files.map((chosen) => (
              <FileCard
                key={chosen.id}
                chosen={chosen}
                sameAs={earlierDuplicate(files, chosen)?.file.name ?? null}
                onEye={(eye) => change(chosen.id, { eye })}
                onRemove={() => remove(chosen.id)}
                onTryAgain={() => change(chosen.id, { state: { kind: 'waiting' } })}
              />
            ))}
          </div>
        </>
      )}
      {overflowCount > 0 && (
        <p className={css.refused} role="alert">
          {t('newCase:tooMany', { count: MAX_FILES, left: overflowCount })}
        </p>
      )}
    </section>
  )
}
