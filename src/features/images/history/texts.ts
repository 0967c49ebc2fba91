/** What the history of pictures, and everything that opens from it, says. */
export const historyTexts = {
  delete: {
    title: 'Delete Image',
    text: 'Are you sure you want to delete this image?',
    cancel: 'Cancel',
    confirm: 'Delete',
    done: 'Image deleted.',
    undo: 'Undo',
  },

  viewer: {
    label: 'Image viewer',
    position: (position: number, count: number) => `${position} of ${count}`,
    close: 'Close',
    previous: 'Previous image',
    next: 'Next image',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    loading: 'Loading the image',
    failed: 'Failed to load image',
  },
} as const;
