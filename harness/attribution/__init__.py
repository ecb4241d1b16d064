"""At which station of the pipeline was the evidence of a question lost, and what would have found it?"""
