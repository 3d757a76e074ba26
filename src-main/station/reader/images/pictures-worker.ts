/** The program of the processes that decode our copies of images: one request at a time, one answer for each. */
import { setFlagsFromString } from 'node:v8'
import { connectToParent } from '../../ports.ts'
import { diskCodeOf } from '../../lib/files.ts'
import { type PicturesAnswer, type PicturesRequest, picturesRequestSchema } from '../messages.ts'
import { makeScreenPicture, makeThumbnail, screenPictureBytes } from './decode.ts'
import { readPhoto } from './photo.ts'

// Without pixels, which lie outside of the heap and are bounded before they are decoded.
setFlagsFromString('--max-old-space-size=384')

async function answerTo(request: PicturesRequest): Promise<PicturesAnswer> {
  try {
    switch (request.kind) {
      case 'inspect':
        return { kind: 'inspected', reading: await readPhoto(request) }
      case 'thumbnail':
        return { kind: 'made', isMade: await makeThumbnail(request.imagePath, request.picturePath) }
      case 'screenPicture':
        return { kind: 'made', isMade: await makeScreenPicture(request.imagePath, request.picturePath) }
      case 'screenPictureBytes':
        return { kind: 'size', bytes: await screenPictureBytes(request.imagePath) }
    }
  } catch (error) {
    const code = diskCodeOf(error)
    // A defect ends the process, and the station starts another.
    if (code === null) throw error
    return { kind: 'failed', code }
  }
}

const station = connectToParent()
station.onMessage((message) => {
  void answerTo(picturesRequestSchema.parse(message)).then((answer) => station.send(answer))
})
