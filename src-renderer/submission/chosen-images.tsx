import type { Image } from '../../src-shared/submission.ts'
import { EyeMark } from '../parts/eye-mark.tsx'
import { Photo } from '../parts/photo.tsx'
import { EYE_WORDS } from '../words/field-words.ts'
import { PART_WORDS } from '../words/part-words.ts'
import css from './grouping.module.css'

/** The images that a question is about, to be looked at once more. */
export function ChosenImages({ images }: { readonly images: readonly Image[] }) {
  return (
    <ul role="list" className={css.chosen}>
      {images.map((image) => {
        const name = image.fileName.split('/').at(-1) ?? image.fileName
        return (
          <li key={image.id} className={css.image} title={image.fileName}>
            <Photo
              image={image}
              className={css.photo ?? ''}
              alt={PART_WORDS.photo(EYE_WORDS[image.eye].name, name)}
            />
            <EyeMark eye={image.eye} />
            <span className="truncate">{name}</span>
          </li>
        )
      })}
    </ul>
  )
}
