/** The texts of MidJourney. */
export const midjourneyTexts = {
  form: {
    label: 'MidJourney generator',
    generate: 'Generate',
    generating: 'Generating...',
    missing: 'Please enter a prompt',
  },

  result: {
    heading: 'Generated Images',
    empty: 'Each prompt gives you several images. They will appear here.',
  },

  history: {
    heading: 'History',
    empty: 'No generations yet. Create your first MidJourney image!',
    details: 'Generation Details',
    deletion: {
      title: 'Delete Generation',
      question: 'Are you sure you want to delete this generation? This action cannot be undone.',
      keptQuestion:
        'Are you sure you want to delete this generation from this device? Your account keeps it. This action cannot be undone.',
    },
  },
} as const;
