/** The program of the processes that decode our copies of images, one at a time. What is not needed is not loaded. */
import { diskCodeOf } from '../station/lib/files.ts'
import { connectToParent, reportMemory } from '../station/ports.ts'
import { type PicturesAnswer, type PicturesRequest, picturesRequestSchema } from './messages.ts'

const station = connectToParent()
reportMemory(station)

async function answerTo(request: PicturesRequest): Promise<PicturesAnswer> {
  const { makeScreenPicture, makeThumbnail } = await import('./pictures/decode.ts')
  try {
    switch (request.kind) {
      case 'inspect':
        return { kind: 'inspected', reading: await (await import('./pictures/photo.ts')).readPhoto(request) }
      case 'thumbnail':
        return { kind: 'made', isMade: await makeThumbnail(request.imagePath, request.picturePath) }
      case 'screenPicture':
        return { kind: 'made', isMade: await makeScreenPicture(request.imagePath, request.picturePath) }
    }
  } catch (error) {
    const code = diskCodeOf(error)
    // A defect ends the process, and the station starts another.
    if (code === null) throw error
    return { kind: 'failed', code }
  }
}

station.onMessage((message) => {
  void answerTo(picturesRequestSchema.parse(message)).then((made) => station.send(made))
})
