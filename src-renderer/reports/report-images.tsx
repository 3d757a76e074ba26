import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { EYES } from '../../src-shared/eye.ts'
import { EyeMark } from '../parts/eye-mark.tsx'
import { Photo } from '../parts/photo.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { isSent } from '../submission/board-images.ts'
import { ImageViewer } from '../submission/image-viewer.tsx'
import { openLabel } from '../submission/open-label.ts'
import { EYE_WORDS } from '../words/field-words.ts'
import { PART_WORDS } from '../words/part-words.ts'
import { REPORT_WORDS } from '../words/report-words.ts'
import css from './report-reader.module.css'

/** The images that a report is about, OD first. */
export function ReportImages({ submissionId }: { readonly submissionId: string | null }) {
  const { value } = useAnswer('submissions.get', submissionId === null ? null : { id: submissionId })
  const [shownId, setShownId] = useState<string | null>(null)
  const images = EYES.flatMap((eye) =>
    (value?.images ?? []).filter((image) => image.eye === eye && isSent(image)),
  )
  return (
    <aside className={css.images} aria-label={REPORT_WORDS.images}>
      <h3>{REPORT_WORDS.images}</h3>
      {images.length === 0 && <p className="dim">{REPORT_WORDS.noImages}</p>}
      <div className={css.imageList}>
        {images.map((image) => (
          <div key={image.id} className={css.image}>
            <UnstyledButton
              className={css.open}
              aria-label={openLabel(image, image.fileName)}
              onClick={() => setShownId(image.id)}
            >
              <Photo
                image={image}
                className={css.thumb ?? ''}
                alt={PART_WORDS.photo(EYE_WORDS[image.eye].name, image.fileName)}
              />
            </UnstyledButton>
            <span>
              <EyeMark eye={image.eye} />
            </span>
          </div>
        ))}
      </div>
      <ImageViewer
        reference={value?.reference ?? ''}
        images={images}
        shownId={shownId}
        isFrozen
        onShow={setShownId}
        onAssign={() => undefined}
      />
    </aside>
  )
}
